import type { PDFDocumentProxy } from 'pdfjs-dist';
import * as v from 'valibot';
import type { ContentsEntry } from '../../machines/model/reading/reading.ts';

type OutlineNode = Awaited<ReturnType<PDFDocumentProxy['getOutline']>>[number];
/** A destination by name, or explicit: the page first, as a reference or a number from 0. */
export type Destination = string | unknown[];

const DESTINATION = '#dest=';
const Destination = v.pipe(v.string(), v.parseJson(), v.union([v.string(), v.array(v.unknown())]));
const PageReference = v.object({ num: v.number(), gen: v.number() });

/**
 * A document's outline as contents. Addresses contain the destinations unresolved: resolving their
 * pages would fetch most of a long document before its first page is shown.
 */
export const readOutline = async (pdf: PDFDocumentProxy): Promise<ContentsEntry[]> => {
  // Typed as always present, yet null for documents without one.
  const outline = (await pdf.getOutline()) as OutlineNode[] | null;
  return toEntries(outline ?? []);
};

const toEntries = (nodes: readonly OutlineNode[]): ContentsEntry[] =>
  nodes.flatMap(({ title, dest, items }) => {
    const children = toEntries(items as OutlineNode[]);
    const href = dest === null ? children[0]?.href : toDestinationHref(dest);
    return href === undefined ? [] : [{ title, href, children }];
  });

export const toDestinationHref = (destination: Destination): string =>
  `${DESTINATION}${encodeURIComponent(JSON.stringify(destination))}`;

export const toPageHref = (page: number): string => `#page=${page}`;

/** The page number of an address, from 1; null if it has none. */
export const parsePageHref = (href: string): number | null => {
  const number = /^#page=(\d+)$/.exec(href)?.[1];
  return number === undefined ? null : Number(number);
};

export const parseDestinationHref = (href: string): Destination | null => {
  if (!href.startsWith(DESTINATION)) return null;
  const result = v.safeParse(Destination, decodeURIComponent(href.slice(DESTINATION.length)));
  return result.success ? result.output : null;
};

/**
 * The start of each entry, in order; resolved one by one, so that requests for shown pages need not
 * wait for all of them.
 */
export const findEntryPages = async (
  pdf: PDFDocumentProxy,
  contents: readonly ContentsEntry[],
  signal: AbortSignal,
): Promise<{ page: number; title: string }[]> => {
  const starts: { page: number; title: string }[] = [];
  for (const { title, href, children } of contents) {
    if (signal.aborted) break;
    const page = await findPage(pdf, parseDestinationHref(href)).catch(() => null);
    if (page !== null) starts.push({ page, title });
    starts.push(...(await findEntryPages(pdf, children, signal)));
  }
  return starts;
};

const findPage = async (pdf: PDFDocumentProxy, destination: Destination | null): Promise<number | null> => {
  const explicit: unknown[] | null = typeof destination === 'string' ? await pdf.getDestination(destination) : destination;
  const [target] = explicit ?? [];
  if (typeof target === 'number') return target + 1;
  return v.is(PageReference, target) ? (await pdf.getPageIndex(target)) + 1 : null;
};
