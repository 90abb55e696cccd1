// The search needs scripts; where there are none, its field stays hidden and all pages are listed.
"use strict";
document.querySelector(".find").hidden = false;
