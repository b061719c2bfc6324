// SPDX-License-Identifier: Apache-2.0
// Shows the sections, and the types and members of the Javadoc, that contain all words of the query. SECTIONS
// (sections.js, which docs/site/search.py writes) has the page, the heading, the address and the text of each.
"use strict";

const MAXIMUM = 50; // results
const EXCERPT = 200; // characters

// Removes endings, so that "rotation" finds "rotated" and "limits" finds "limit".
const stem = (word) => (word.length < 5 ? word : word.replace(/(?:ations?|ating|ated|ates?|ions?|ings?|ed|es|s|e)$/, ""));

const escape = (word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const pattern = (word) => new RegExp(`(?<![\\p{L}\\p{N}])${escape(word)}`, "giu");

const count = (text, word) => (text.match(pattern(word)) || []).length;

const phrase = (words) => new RegExp(words.map(escape).join("[\\p{L}\\p{N}]*[^\\p{L}\\p{N}]+"), "iu");

// Matches in the heading count most; in the Javadoc half, since its texts are short.
function score([page, heading, address, text], words, query) {
  let sum = 0;
  for (const word of words) {
    const found = 10 * Math.min(count(heading, word), 1) + 3 * Math.min(count(page, word), 1)
      + Math.min(count(text, word), 4);
    if (!found) return 0;
    sum += found;
  }
  if (words.length > 1 && phrase(words).test(`${heading} ${text}`)) sum += 10;
  if (heading.toLowerCase() === query) sum += 20;
  return address.startsWith("javadoc/") ? sum / 2 : sum;
}

// The excerpt has the words together, or else the rarest one.
function excerpt(text, words) {
  const [rarest] = words.filter((word) => count(text, word)).sort((one, other) => count(text, one) - count(text, other));
  const together = text.search(phrase(words));
  const start = Math.max((together >= 0 || !rarest ? together : text.search(pattern(rarest))) - EXCERPT / 4, 0);
  const begin = start ? text.indexOf(" ", start) + 1 : 0;
  const paragraph = document.createElement("p");
  const part = text.slice(begin, begin + EXCERPT);
  const found = new RegExp(`((?<![\\p{L}\\p{N}])(?:${words.map(escape).join("|")})[\\p{L}\\p{N}]*)`, "giu");
  part.split(found).forEach((piece, index) => {
    const element = document.createElement(index % 2 ? "mark" : "span");
    element.textContent = piece;
    paragraph.append(element);
  });
  paragraph.prepend(begin ? "... " : "");
  paragraph.append(begin + EXCERPT < text.length ? " ..." : "");
  return paragraph;
}

function show(query) {
  document.querySelectorAll('input[name="q"]').forEach((field) => { field.value = query; });
  const words = (query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) || []).map(stem);
  const results = words.length === 0 ? [] : SECTIONS.map((section) => [score(section, words, query.trim().toLowerCase()), section])
    .filter(([points]) => points > 0).sort(([one], [other]) => other - one).map(([, section]) => section);
  document.getElementById("search-summary").textContent =
    `${results.length} ${results.length === 1 ? "result" : "results"} for "${query}"`
    + (results.length > MAXIMUM ? `, of which these are the first ${MAXIMUM}` : "");
  for (const [page, heading, address, text] of results.slice(0, MAXIMUM)) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = address;
    link.textContent = page === heading ? page : `${page}: ${heading}`;
    item.append(link, excerpt(text, words));
    document.getElementById("search-results").append(item);
  }
}

show(new URLSearchParams(location.search).get("q") || "");
