import { AbortException, getDocument, GlobalWorkerOptions, InvalidPDFException, PasswordException } from 'pdfjs-dist';
// oxlint-disable-next-line import/default -- the bundler makes the address
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import type { PDFDataRangeTransport, PDFDocumentLoadingTask } from 'pdfjs-dist';
import { problemOf, type Problem } from '../../machines/model/problem.ts';
import { malformed, unreached } from '../client/wire/problem.ts';
import type { PdfAssetKind } from './pdf-assets.ts';
import { RANGE_BYTES } from './pdf-ranges.ts';

GlobalWorkerOptions.workerSrc = workerUrl;

/** Lets pdf.js ask for its own files by name and gets them by their hashed addresses. */
class OwnAssets {
  async fetch({ kind, filename }: { kind: PdfAssetKind; filename: string }): Promise<Uint8Array> {
    const { pdfAssetUrl } = await import('./pdf-assets.ts');
    const url = pdfAssetUrl(kind, filename);
    if (url === undefined) throw new Error(`no asset ${filename}`);
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`asset ${filename}: ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  }
}

/** Opens a document in parts: only what the shown pages need is fetched, never all of it behind the reader's back. */
export const openPdf = (source: { range: PDFDataRangeTransport } | { data: Uint8Array }): PDFDocumentLoadingTask =>
  getDocument({
    ...source,
    disableAutoFetch: true,
    disableStream: true,
    rangeChunkSize: RANGE_BYTES,
    enableXfa: false,
    useWorkerFetch: false,
    BinaryDataFactory: OwnAssets,
  });

export const problemOfPdf = (error: unknown): Problem => {
  if (error instanceof InvalidPDFException || error instanceof PasswordException) {
    return malformed('pdf', '', String(error.message));
  }
  return error instanceof AbortException ? unreached() : problemOf(error);
};
