import * as v from 'valibot';
import type { ContentsEntry } from '../../machines/model/reading/reading.ts';
import { isUnreachable, toProblem } from '../../machines/model/problem.ts';
import { throwProblem } from '../client/wire/problem.ts';
import { fetchChecked } from './fetch-media.ts';

const Properties = v.object({
  page: v.optional(v.picklist(['left', 'right', 'center'])),
  layout: v.optional(v.picklist(['fixed', 'reflowable'])),
  spineIndex: v.optional(v.number()),
  /** Number of positions of an item; our server's extension of the manifest. */
  positions: v.fallback(v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))), undefined),
});
const Link = v.object({ href: v.string(), type: v.string(), properties: v.optional(Properties, {}) });
export type Link = v.InferOutput<typeof Link>;

type ContentsLink = { title: string; href?: string | undefined; children?: ContentsLink[] | undefined };
const ContentsLink: v.GenericSchema<ContentsLink> = v.object({
  title: v.string(),
  href: v.optional(v.string()),
  children: v.optional(v.array(v.lazy(() => ContentsLink))),
});

/** The parts of a Readium Web Publication Manifest that the engine reads. */
const Manifest = v.object({
  metadata: v.object({
    title: v.string(),
    language: v.array(v.string()),
    readingProgression: v.picklist(['ltr', 'rtl']),
    layout: v.picklist(['fixed', 'reflowable']),
    presentation: v.object({ spread: v.optional(v.string()) }),
  }),
  readingOrder: v.pipe(v.array(Link), v.minLength(1)),
  resources: v.array(Link),
  toc: v.array(ContentsLink),
  /** The page breaks of the printed edition. */
  pageList: v.fallback(v.optional(v.array(ContentsLink), []), []),
});
export type Manifest = v.InferOutput<typeof Manifest>;

const Positions = v.object({ total: v.number(), positions: v.array(v.object({ href: v.string() })) });

/** The files of a book in one archive; `load` resolves with an in-memory URL. */
export type Archive = { load: (href: string) => Promise<string>; unload: (href: string) => void };

/**
 * A book as its server describes it. `counts`: positions of each item by address, 1 by default;
 * `base` ends with a slash; `archive` is set where its files come from one file.
 */
export type WebPublication = {
  base: string;
  manifest: Manifest;
  counts: ReadonlyMap<string, number>;
  archive?: Archive;
};

/**
 * The base address of a book's files, from the address of the book or of its manifest; it ends with
 * a slash.
 */
export const getBase = (url: string): string => new URL(`${url.replace(/\/(manifest\.json)?$/, '')}/`, location.href).href;

/**
 * The positions of each item, by address, from the manifest's counts; null where one is missing.
 */
const getCounts = ({ readingOrder }: Manifest): Map<string, number> | null => {
  const counts = new Map<string, number>();
  for (const { href, properties } of readingOrder) {
    if (properties.positions === undefined) return null;
    counts.set(href, properties.positions);
  }
  return counts;
};

/**
 * The positions of each item, by address, counted from a server's positions list; empty without a
 * list.
 */
const fetchCounts = async (base: string, signal: AbortSignal): Promise<Map<string, number>> => {
  const { positions } = await fetchChecked('book positions', `${base}~positions.json`, Positions, signal).catch(
    (error: unknown) => (isUnreachable(toProblem(error)) ? throwProblem(toProblem(error)) : { total: 0, positions: [] }),
  );
  const counts = new Map<string, number>();
  for (const { href } of positions) counts.set(href, (counts.get(href) ?? 0) + 1);
  return counts;
};

/**
 * Loads a book's manifest and positions; rejects with a Problem. `url` is that of the book or of
 * its manifest.
 */
export const fetchPublication = async (url: string, signal: AbortSignal): Promise<WebPublication> => {
  const base = getBase(url);
  const manifest = await fetchChecked('book manifest', `${base}manifest.json`, Manifest, signal);
  return { base, manifest, counts: getCounts(manifest) ?? (await fetchCounts(base, signal)) };
};

/** The contents for the reader's list; headings without an address link to their first entry. */
export const toContentsEntries = (links: readonly ContentsLink[]): ContentsEntry[] =>
  links.flatMap(({ title, href, children }) => {
    const entries = toContentsEntries(children ?? []);
    const target = href ?? entries[0]?.href;
    return target === undefined ? [] : [{ title, href: target, children: entries }];
  });
