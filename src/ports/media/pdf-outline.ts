import type { PDFDocumentProxy } from 'pdfjs-dist';
import type { ContentsEntry } from '../../../machines/model/reading.ts';

type OutlineNode = Awaited<ReturnType<PDFDocumentProxy['getOutline']>>[number];

/** A document's outline as contents. An entry's address is `#page=` and a page number, from 1. */
export const outlineOf = async (pdf: PDFDocumentProxy): Promise<ContentsEntry[]> => {
  // Typed as always there, yet null for documents without one.
  const outline = (await pdf.getOutline()) as OutlineNode[] | null;
  return entriesOf(pdf, outline ?? []);
};

const entriesOf = async (pdf: PDFDocumentProxy, nodes: readonly OutlineNode[]): Promise<ContentsEntry[]> => {
  const entries = await Promise.all(
    nodes.map(async ({ title, dest, items }) => {
      const children = await entriesOf(pdf, items as OutlineNode[]);
      const page = await pageOf(pdf, dest);
      const href = page === null ? children[0]?.href : pageHref(page);
      return href === undefined ? [] : [{ title, href, children }];
    }),
  );
  return entries.flat();
};

const pageOf = async (pdf: PDFDocumentProxy, dest: OutlineNode['dest']): Promise<number | null> => {
  const explicit = typeof dest === 'string' ? await pdf.getDestination(dest) : dest;
  const target: unknown = explicit?.[0];
  if (typeof target === 'number') return target + 1;
  if (typeof target !== 'object' || target === null) return null;
  // A reference to a page that the document lost.
  return pdf.getPageIndex(target as Parameters<PDFDocumentProxy['getPageIndex']>[0]).then((index) => index + 1).catch(() => null);
};

export const pageHref = (page: number): string => `#page=${page}`;

/** The page number of an address; null for anything else. */
export const pageOfHref = (href: string): number | null => {
  const number = /^#page=(\d+)$/.exec(href)?.[1];
  return number === undefined ? null : Number(number);
};

/** The title of the last entry that begins on or before the page. */
export const labelAt = (contents: readonly ContentsEntry[], page: number): string => {
  let label = '';
  const visit = (entries: readonly ContentsEntry[]) => {
    for (const { title, href, children } of entries) {
      if ((pageOfHref(href) ?? Infinity) <= page) label = title;
      visit(children);
    }
  };
  visit(contents);
  return label;
};
