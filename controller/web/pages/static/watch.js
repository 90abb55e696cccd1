// A page that only shows the table.

import { callNew } from "./listen.js";
import { follow, showConnection } from "./live.js";

follow(document.body.dataset.view ?? "wall", callNew, showConnection);
