import { equal } from "node:assert/strict";
import { exact, html } from "../../emulator/page/html";

describe("the texts of the console page", () => {
  const hostile = 'a\u202eb\u200bc\u061c\u{e0041}\u0085\nd<&"';

  it("show invisible and bidirectional characters as escapes, and markup as text", () => {
    const shown = "a\\u202eb\\u200bc\\u061c\\udb40\\udc41\\u0085\nd&#60;&#38;&#34;";
    equal(html`<td title="${hostile}">${["x", hostile]}</td>`.text, `<td title="${shown}">x${shown}</td>`);
  });

  it("keep the value of a control, which is sent back", () => {
    equal(html`${exact(hostile)}`.text, "a\u202eb\u200bc\u061c\u{e0041}\u0085\nd&#60;&#38;&#34;");
  });
});
