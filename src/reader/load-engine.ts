import type { BookInput } from '../../machines/model/reading/reading.ts';
import type { Medium } from '../../machines/model/catalogue/title.ts';

/** Each medium's engine is a chunk of its own, so that EPUBs never wait for the PDF viewer. */
export const loadBookEngine = async (medium: BookInput['medium']) => {
  switch (medium) {
    case 'epub':
      return (await import('./epub.ts')).runEpub;
    case 'pdf':
      return (await import('./pdf.ts')).runPdf;
  }
};
export const loadTracksEngine = async () => (await import('./tracks.ts')).runTracks;
export const loadInteractiveEngine = async () => (await import('./interactive.ts')).runInteractive;

const loadEngine = (medium: Medium): Promise<unknown> => {
  switch (medium) {
    case 'epub':
    case 'pdf':
      return loadBookEngine(medium);
    case 'audio':
    case 'video':
      return loadTracksEngine();
    case 'interactive':
      return loadInteractiveEngine();
  }
};

/**
 * Preloads an engine while addresses are requested. A failure is reported by the engine's own load.
 */
export const preloadEngine = (medium: Medium): void => void loadEngine(medium).catch(() => undefined);
