// SPDX-License-Identifier: Apache-2.0
// Adds a button to each block of code that copies it, without the prompts and the output of consoles.
"use strict";

addEventListener("DOMContentLoaded", () => {
  for (const block of document.querySelectorAll("article div.highlight")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      const code = block.querySelector("pre").cloneNode(true);
      code.querySelectorAll(".gp, .go").forEach((part) => part.remove());
      try {
        await navigator.clipboard.writeText(code.textContent.trimEnd() + "\n");
        button.textContent = "Copied";
      } catch {
        button.textContent = "Not permitted";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    block.append(button);
  }
});
