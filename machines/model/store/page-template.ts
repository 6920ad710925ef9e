/**
 * The placeholders of the built page, which the server fills: each is a region between two
 * comments, `<!--title-->…<!--/title-->`, and keeps its built text unless the server replaces it.
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

/** The index of a placeholder in a page. @throws Error if it is missing or occurs twice */
function findUniqueIndex(page: string, text: string): number {
  const index = page.indexOf(text);
  if (index === -1) throw new Error(`index.html: the placeholder ${text} is missing.`);
  if (page.includes(text, index + text.length)) throw new Error(`index.html: the placeholder ${text} occurs twice.`);
  return index;
}

type RegionRange = { region: Region; from: number; to: number };

function findRegion(page: string, region: Region): RegionRange {
  const from = findUniqueIndex(page, beginMarker(region)) + beginMarker(region).length;
  const to = findUniqueIndex(page, endMarker(region));
  if (to < from) throw new Error(`index.html: the placeholder ${endMarker(region)} is before ${beginMarker(region)}.`);
  return { region, from, to };
}

/** Replaces the text of one region in a page; its placeholder stays. */
export function replaceRegion(page: string, region: Region, text: string): string {
  const { from, to } = findRegion(page, region);
  return page.slice(0, from) + text + page.slice(to);
}

/**
 * Splits a built page at its placeholders.
 * @throws Error that names a placeholder that is missing, duplicated, in the wrong order, or inside
 * another one
 */
export function readTemplate(page: string): PageTemplate {
  const ranges = REGIONS.map((region) => findRegion(page, region)).toSorted((one, other) => one.from - other.from);
  const builtTexts = Object.fromEntries(ranges.map(({ region, from, to }) => [region, page.slice(from, to)])) as Record<
    Region,
    string
  >;
  const starts = ranges.map(({ region, from }) => from - beginMarker(region).length);
  const ends = ranges.map(({ region, to }) => to + endMarker(region).length);
  const precedingTexts = ranges.map(({ region }, index) => {
    const [previousEnd, start] = [ends[index - 1] ?? 0, starts[index] ?? 0];
    if (start < previousEnd) throw new Error(`index.html: the placeholder ${beginMarker(region)} is inside another one.`);
    return { region, text: page.slice(previousEnd, start) };
  });
  const end = page.slice(ends.at(-1));
  return {
    built: builtTexts,
    fill: (texts) => precedingTexts.map(({ region, text }) => text + (texts[region] ?? builtTexts[region])).join('') + end,
  };
}

/**
 * The sources of the scripts of rendered pages that run before the app's script: in `<head>`, and
 * after the screen. The build writes each to a file, which the server inlines into the page.
 */
export const EARLY_SCRIPTS = { head: 'src/ssr/early/head.ts', screenEnd: 'src/ssr/early/screen-end.ts' } as const;
export type EarlyScript = keyof typeof EARLY_SCRIPTS;
