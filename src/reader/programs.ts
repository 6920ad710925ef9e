import type { BookInput } from '../../machines/model/reading/reading.ts';
import type { Medium } from '../../machines/model/catalogue/title.ts';

/** Each medium's program is a chunk of its own, so that EPUBs never wait for the PDF viewer. */
export const loadBook = async (medium: BookInput['medium']) => {
  switch (medium) {
    case 'epub':
      return (await import('./epub.ts')).runEpub;
    case 'pdf':
      return (await import('./pdf.ts')).runPdf;
  }
};
export const loadTracks = async () => (await import('./tracks.ts')).runTracks;
export const loadInteractive = async () => (await import('./interactive.ts')).runInteractive;

const load = (medium: Medium): Promise<unknown> => {
  switch (medium) {
    case 'epub':
    case 'pdf':
      return loadBook(medium);
    case 'audio':
    case 'video':
      return loadTracks();
    case 'interactive':
      return loadInteractive();
  }
};

/** Loads a program while addresses are asked for. Where it does not come, its engine says so. */
export const loadAhead = (medium: Medium): void => void load(medium).catch(() => undefined);
