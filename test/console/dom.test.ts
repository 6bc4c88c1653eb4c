import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";

/** An element that keeps its attributes and children. */
class FakeElement {
  readonly attributes: Record<string, string> = {};
  readonly childNodes: unknown[] = [];
  readonly firstChild = null;
  readonly value: string | undefined;
  setAttribute(name: string, text: string): void {
    this.attributes[name] = text;
  }
  append(...children: unknown[]): void {
    this.childNodes.push(...children);
  }
  insertBefore(child: unknown): void {
    this.childNodes.push(child);
  }
}

interface Page {
  h(tag: string, attributes: object, ...children: string[]): FakeElement;
  fill(element: FakeElement, ...children: string[]): void;
}

/** The functions of dom.js over fake elements. */
function page(): Page {
  const source = readFileSync(join(__dirname, "../../emulator/page/files/dom.js"), "utf8");
  const document = { createElement: () => new FakeElement(), createTextNode: (text: string) => text };
  const context = vm.createContext({ document, HTMLElement: FakeElement });
  return vm.runInContext(`${source.replace(/^export /gm, "")}\n({ h, fill })`, context) as Page;
}

describe("the texts of the console page", () => {
  const hostile = "a\u202eb\u200bc\u061c\u{e0041}\u0085\nd";
  const shown = "a\\u202eb\\u200bc\\u061c\\udb40\\udc41\\u0085\nd";

  it("shows invisible and bidirectional characters as escapes, in elements and attributes", () => {
    const { h, fill } = page();
    const element = h("td", { title: hostile });
    fill(element, "x", hostile);
    assert.deepEqual([element.attributes["title"], element.childNodes], [shown, ["x", shown]]);
    assert.deepEqual(h("td", {}, hostile).childNodes, [shown]);
  });

  it("keeps the value of a control, which is sent back", () => {
    assert.equal(page().h("input", { value: hostile }).value, hostile);
  });
});
