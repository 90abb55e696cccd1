// A page that only shows the table.

import { follow, showConnection } from "./live.js";

follow(document.body.dataset.view ?? "wall", () => {}, showConnection);
