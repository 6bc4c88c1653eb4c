/**
 * `npm run docs`: builds the documentation as a site into dist/site, without any network. TypeDoc reads the pages and the
 * package's TypeScript declarations.
 */
import { join, relative } from "node:path";
import type {
  Application,
  DocumentReflection,
  NavigationElement,
  ProjectReflection,
  Reflection,
} from "typedoc" with { "resolution-mode": "import" };
import { contents } from "./contents";
import { main, root } from "../support/main";

/** The page that the README links to as a list of all pages. The site has its navigation, and this page for that link. */
const list = "docs/README.md";

function urlOf(path: string): string {
  if (path === list) return "pages";
  return path
    .replace(/^docs\//, "")
    .replace(/\.md$/, "")
    .replace(/(^|\/)README$/, "$1index");
}

export async function buildSite(out: string): Promise<void> {
  const typedoc = await import("typedoc");
  const sections = contents(root);
  const app = await typedoc.Application.bootstrap({
    name: "pulumi-legacydns",
    entryPoints: [join(root, "provider/index.ts")],
    tsconfig: join(root, "tsconfig.build.json"),
    readme: join(root, "README.md"),
    projectDocuments: [list, ...sections.flatMap(({ pages }) => pages.map(({ path }) => path))].map((path) =>
      join(root, path),
    ),
    customCss: join(__dirname, "site.css"),
    out,
    cleanOutputDir: true,
    router: "pages",
    theme: "pages",
    skipErrorChecking: true,
    disableSources: true,
    githubPages: false,
    hideGenerator: true,
    includeVersion: true,
    excludePrivate: true,
    excludeInternal: true,
    treatWarningsAsErrors: true,
    validation: {
      notExported: false,
      invalidLink: true,
      invalidPath: true,
      rewrittenLink: true,
      notDocumented: false,
      unusedMergeModuleWith: true,
    },
    externalSymbolLinkMappings: { "@pulumi/pulumi": { "*": "#" } },
    highlightLanguages: ["ts", "js", "sh", "console", "json", "yaml", "python", "go", "diff"],
    logLevel: "Warn",
  });
  app.renderer.defineRouter("pages", pagesRouter(typedoc));
  app.renderer.defineTheme("pages", pagesTheme(typedoc, sections));
  const project = await app.convert();
  if (project === undefined) throw new Error("TypeDoc found no project");
  const titles = titlesOf(sections);
  for (const page of project.documents ?? []) page.name = titles.get(pathOf(app, page)) ?? page.name;
  app.validate(project);
  await app.generateOutputs(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new Error("the site has warnings: see above");
}

function titlesOf(sections: ReturnType<typeof contents>): ReadonlyMap<string, string> {
  return new Map([
    [list, "All pages"],
    ...sections.flatMap(({ pages }) => pages.map(({ path, title }): [string, string] => [path, title])),
  ]);
}

type TypeDoc = Awaited<typeof import("typedoc", { with: { "resolution-mode": "import" } })>;

function pathOf(app: Application, page: Reflection): string {
  const path = app.files.getReflectionPath(page);
  if (path === undefined) throw new Error(`${page.name} has no file`);
  return relative(root, path);
}

/** Pages lie as in the repository, so that an address is guessed from a path; the declarations lie in a folder of their own. */
function pagesRouter({ KindRouter }: TypeDoc): new (app: Application) => InstanceType<TypeDoc["KindRouter"]> {
  return class extends KindRouter {
    protected override getIdealBaseName(page: Reflection): string {
      return page.isDocument()
        ? urlOf(pathOf(this.application, page))
        : `typescript/${super.getIdealBaseName(page).replace("/index.", "/")}`;
    }
  };
}

function pagesTheme({ DefaultTheme }: TypeDoc, sections: ReturnType<typeof contents>): typeof DefaultTheme {
  return class extends DefaultTheme {
    override buildNavigation(project: ProjectReflection): NavigationElement[] {
      const app = this.application;
      const documents = new Map(
        (project.documents ?? []).map((page): [string, DocumentReflection] => [pathOf(app, page), page]),
      );
      const groups = sections.map(({ title, pages }): NavigationElement => ({
        text: title,
        children: pages.map(({ title: text, path }) => {
          const page = documents.get(path);
          if (page === undefined) throw new Error(`docs/README.md names ${path} twice, or it is no page`);
          return { text, path: this.router.getFullUrl(page) };
        }),
      }));
      const [declarations] = super
        .buildNavigation(project)
        .filter(({ path }) => path?.startsWith("typescript/") === true);
      const reference = groups.find(({ text }) => text === "Reference");
      reference?.children?.push({ ...declarations, text: "TypeScript declarations" });
      return groups;
    }
  };
}

if (require.main === module)
  main("docs", async () => {
    const out = join(root, "dist", "site");
    await buildSite(out);
    process.stdout.write(`${join(out, "index.html")}\n`);
  });
