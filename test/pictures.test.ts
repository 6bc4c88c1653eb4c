/** The README's pictures: drawn from recordings, readable in dark and light, and described in words. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { parseFragment } from "parse5";
import { consoleDigests, keptDigests } from "../scripts/pictures/console";
import { drawn, folder, names, pictures, recording } from "../scripts/pictures/recordings";
import { dark, drawTerminal, light } from "../scripts/pictures/terminal";
import { contrast } from "./support/contrast";

const readme = readFileSync(resolve(__dirname, "../README.md"), "utf8");
/** The texts of a picture, in their order. */
const textsOf = (svg: string): string[] =>
  [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text = ""]) =>
    text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
  );

describe("the README's pictures", () => {
  for (const name of names) {
    it(`${name} is drawn from its recording, which holds nothing of the machine that made it`, () => {
      assert.equal(
        readFileSync(join(folder, `${name}.svg`), "utf8"),
        drawn(name),
        "npm run pictures -- --draw",
      );
      const lines = stripVTControlCharacters(recording(name)).split("\n");
      assert.equal(textsOf(drawn(name)).join("").replace(/\s+/g, ""), lines.join("").replace(/\s+/g, ""));
      assert.doesNotMatch(lines.join("\n"), /(^|[ "'=])\/[a-z]+\//i);
    });

    it(`${name} stands in the README with words in its place, and holds more of them`, () => {
      const [, words = ""] =
        new RegExp(`!\\[([^\\]]+)\\]\\(docs/pictures/${name}\\.svg\\)`).exec(readme) ?? [];
      assert.ok(words.length > 60, words);
      const [svg] = parseFragment(drawn(name)).childNodes;
      assert.ok(svg !== undefined && "attrs" in svg);
      const attributes = new Map(svg.attrs.map((each) => [each.name, each.value]));
      assert.deepEqual(
        [attributes.get("role"), attributes.get("aria-labelledby")],
        ["img", "title description"],
      );
      assert.ok(drawn(name).includes(`<desc id="description">${pictures[name].description}</desc>`));
    });
  }

  it("of the demo has its text in docs/get-started.md, to the letter", () => {
    assert.ok(
      readFileSync(resolve(__dirname, "../docs/get-started.md"), "utf8").includes(
        `\n\`\`\`text\n${stripVTControlCharacters(recording("demo")).trimEnd()}\n\`\`\`\n`,
      ),
      "npm run pictures -- --draw",
    );
  });

  it("of the console is taken of the page as it is", () => {
    assert.equal(
      keptDigests(),
      consoleDigests(),
      "npm run pictures, or npm run pictures -- --console for this one alone",
    );
  });

  it("can be read on their own ground in dark and light: a contrast of 4.5 or more", () => {
    for (const { ground, ...inks } of [light, dark])
      for (const ink of Object.values(inks)) assert.ok(contrast(ink, ground) >= 4.5, `${ink} on ${ground}`);
  });

  it("show colours as a terminal does, over the ends of lines, and text as text", () => {
    const svg = drawTerminal(
      "a \u001b[1;38;5;1mred <b>\n\u001b[39mbold\u001b[0m \u001b[38;2;1;2;3mown\u001b[90mgrey",
      { title: "t", description: "d" },
    );
    const runs = [...svg.matchAll(/<text class="([^"]+)"[^>]*>([^<]*)</g)].map(([, look, text]) => [
      look,
      text,
    ]);
    assert.deepEqual(runs, [
      ["text", "a "],
      ["red bold", "red &#60;b&#62;"],
      ["text bold", "bold"],
      ["text", "own"],
      ["faint", "grey"],
    ]);
  });
});
