/**
 * The built page, with placeholders that the server fills: each is a region between two comments,
 * `<!--title-->…<!--/title-->`, and keeps its own text where nothing else is put there.
 */
export const REGIONS = ['html', 'icon', 'title', 'program', 'head', 'root', 'noscript'] as const;
export type Region = (typeof REGIONS)[number];

export type PageTemplate = {
  /** The texts of the regions as they were built. */
  built: Readonly<Record<Region, string>>;
  /** The page with other texts in some of its regions. */
  fill(texts: Partial<Record<Region, string>>): string;
};

const beginOf = (region: Region): string => `<!--${region}-->`;
const endOf = (region: Region): string => `<!--/${region}-->`;

/** The only place of a text in a page. */
function onlyPlace(page: string, text: string): number {
  const at = page.indexOf(text);
  if (at === -1) throw new Error(`index.html: the placeholder ${text} is missing.`);
  if (page.includes(text, at + text.length)) throw new Error(`index.html: the placeholder ${text} is there twice.`);
  return at;
}

type Place = { region: Region; from: number; to: number };

function placeOf(page: string, region: Region): Place {
  const from = onlyPlace(page, beginOf(region)) + beginOf(region).length;
  const to = onlyPlace(page, endOf(region));
  if (to < from) throw new Error(`index.html: the placeholder ${endOf(region)} is before ${beginOf(region)}.`);
  return { region, from, to };
}

/** The page with another text in one region, whose placeholder stays. */
export function withRegion(page: string, region: Region, text: string): string {
  const { from, to } = placeOf(page, region);
  return page.slice(0, from) + text + page.slice(to);
}

/** @throws Error that names the placeholder which is missing, there twice, or within another one */
export function readTemplate(page: string): PageTemplate {
  const places = REGIONS.map((region) => placeOf(page, region)).toSorted((one, other) => one.from - other.from);
  const built = Object.fromEntries(places.map(({ region, from, to }) => [region, page.slice(from, to)])) as Record<
    Region,
    string
  >;
  const starts = places.map(({ region, from }) => from - beginOf(region).length);
  const ends = places.map(({ region, to }) => to + endOf(region).length);
  const before = places.map(({ region }, nth) => {
    const [at, start] = [ends[nth - 1] ?? 0, starts[nth] ?? 0];
    if (start < at) throw new Error(`index.html: the placeholder ${beginOf(region)} is within another one.`);
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
 * behind the screen. The build makes a file of each, which the server writes into the page.
 */
export const EARLY_SCRIPTS = { head: 'src/painting/early/head.ts', screenEnd: 'src/painting/early/screen-end.ts' } as const;
export type EarlyScript = keyof typeof EARLY_SCRIPTS;
