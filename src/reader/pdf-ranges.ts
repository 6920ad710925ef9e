import { PDFDataRangeTransport } from 'pdfjs-dist';
import { problemOf, type Problem } from '../../machines/model/problem.ts';
import { fetchRange } from './fetch-media.ts';
import { usingAddress, type Renewable } from './renewable.ts';

/** Bytes asked for at least, as few more requests cost more than some bytes too many. */
export const RANGE_BYTES = 64 * 1024;

/** Fetches the parts of a document that pdf.js wants, from wherever the document is at the time. */
class AddressedRanges extends PDFDataRangeTransport {
  readonly #fetchPart: (begin: number, end: number) => Promise<void>;

  constructor(
    length: number,
    first: Uint8Array,
    fetchPart: (tell: AddressedRanges, begin: number, end: number) => Promise<void>,
  ) {
    super(length, first);
    this.#fetchPart = (begin, end) => fetchPart(this, begin, end);
  }

  override requestDataRange(begin: number, end: number): void {
    void this.#fetchPart(begin, end);
  }
}

type Asked = {
  address: Renewable<string>;
  signal: AbortSignal;
  /** A part did not come, and pdf.js waits for it. Ends when the part is to be asked for again. */
  interrupted: (problem: Problem) => Promise<void>;
  continued: () => void;
};

/** A document in parts, or all of it from a server that gives no parts; rejects with a Problem. */
export const openRanges = async ({
  address,
  signal,
  interrupted,
  continued,
}: Asked): Promise<{ range: PDFDataRangeTransport } | { data: Uint8Array }> => {
  const part = (begin: number, end: number) => usingAddress(address, (url) => fetchRange(url, signal, begin, end));
  const { bytes, size } = await part(0, RANGE_BYTES);
  if (size === null) return { data: bytes };
  return {
    range: new AddressedRanges(size, bytes, async (tell, begin, end) => {
      for (let isAgain = false; ; isAgain = true) {
        try {
          tell.onDataRange(begin, (await part(begin, end)).bytes);
          if (isAgain) continued();
          return;
        } catch (error) {
          if (signal.aborted) return;
          await interrupted(problemOf(error));
        }
      }
    }),
  };
};
