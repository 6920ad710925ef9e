import type { BookCommand, BookFact, BookInput } from '../../machines/model/reading.ts';
import type { EngineIo } from './engine.ts';

/** Opens a book with the engine for its medium; each is a chunk of its own, so that EPUBs never wait for the PDF viewer. */
export const runBook = async (input: BookInput, io: EngineIo<BookCommand, BookFact>): Promise<void> => {
  switch (input.medium) {
    case 'epub':
      return (await import('./epub.ts')).runEpub(input, io);
    case 'pdf':
      return (await import('./pdf.ts')).runPdf(input, io);
  }
};
