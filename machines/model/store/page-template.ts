/**
 * The built page, with placeholders that the server fills: each is a region between two comments,
 * `<!--title-->…<!--/title-->`, and keeps its own text unless the server replaces it.
 */
export const REGIONS = ['html', 'icon', 'title', 'program', 'head', 'root', 'noscript'] as const;
export type Region = (typeof REGIONS)[number];

export type PageTemplate = {
  /** The texts of the regions in the built page. */
  built: Readonly<Record<Region, string>>;
  /** The page with other texts in some of its regions. */
  fill(texts: Partial<Record<Region, string>>): string;
};

const beginMarker = (region: Region): string => `<!--${region}-->`;
const endMarker = (region: Region): string => `<!--/${region}-->`;

/** The only position of a text in a page. */
function findOnly(page: string, text: string): number {
  const at = page.indexOf(text);
  if (at === -1) throw new Error(`index.html: the placeholder ${text} is missing.`);
  if (page.includes(text, at + text.length)) throw new Error(`index.html: the placeholder ${text} occurs twice.`);
  return at;
}

type RegionRange = { region: Region; from: number; to: number };

function findRegion(page: string, region: Region): RegionRange {
  const from = findOnly(page, beginMarker(region)) + beginMarker(region).length;
  const to = findOnly(page, endMarker(region));
  if (to < from) throw new Error(`index.html: the placeholder ${endMarker(region)} is before ${beginMarker(region)}.`);
  return { region, from, to };
}

/** The page with another text in one region, whose placeholder stays. */
export function replaceRegion(page: string, region: Region, text: string): string {
  const { from, to } = findRegion(page, region);
  return page.slice(0, from) + text + page.slice(to);
}

/** @throws Error that names the placeholder which is missing, duplicated, or inside another one */
export function readTemplate(page: string): PageTemplate {
  const places = REGIONS.map((region) => findRegion(page, region)).toSorted((one, other) => one.from - other.from);
  const built = Object.fromEntries(places.map(({ region, from, to }) => [region, page.slice(from, to)])) as Record<
    Region,
    string
  >;
  const starts = places.map(({ region, from }) => from - beginMarker(region).length);
  const ends = places.map(({ region, to }) => to + endMarker(region).length);
  const before = places.map(({ region }, nth) => {
    const [at, start] = [ends[nth - 1] ?? 0, starts[nth] ?? 0];
    if (start < at) throw new Error(`index.html: the placeholder ${beginMarker(region)} is inside another one.`);
    return { region, text: page.slice(at, start) };
  });
  const end = page.slice(ends.at(-1));
  return {
    built,
    fill: (texts) => before.map(({ region, text }) => text + (texts[region] ?? built[region])).join('') + end,
  };
}

/**
 * The scripts of rendered pages that run before the program, by their sources: in the head, and
 * after the screen. The build writes each to a file, which the server inlines into the page.
 */
export const EARLY_SCRIPTS = { head: 'src/ssr/early/head.ts', screenEnd: 'src/ssr/early/screen-end.ts' } as const;
export type EarlyScript = keyof typeof EARLY_SCRIPTS;
