import { problemOf } from '../../machines/model/problem.ts';
import { raise } from '../client/wire/problem.ts';
import { isDeniedByStatus } from './fetch-media.ts';
import { fetchPublication, type WebPublication } from './web-publication.ts';

/** Behind a query no folder can go on: such an address is a file's, unless it is the manifest's. */
const isFile = (url: string): boolean => {
  const { pathname, search } = new URL(url, location.href);
  return search !== '' && !pathname.endsWith('/manifest.json');
};

/**
 * Opens a book by its address, which is that of its folder, of its manifest or of its own file.
 * @throws Problem
 */
export const openPublication = async (url: string, signal: AbortSignal): Promise<WebPublication> => {
  const openFile = async () => (await import('./epub-archive.ts')).openArchive(url, signal);
  if (isFile(url)) return (await openFile()) ?? raise({ kind: 'refused', code: 'broken_book', message: 'It is no archive.' });
  try {
    return await fetchPublication(url, signal);
  } catch (error) {
    // Below a file there is no manifest.
    const problem = problemOf(error);
    const mayBeFile = problem.kind === 'http' || problem.kind === 'malformed' || isDeniedByStatus(problem);
    const book = mayBeFile ? await openFile() : null;
    if (book === null) throw error;
    return book;
  }
};

/** The items of a book in the order of reading, by address; rejects with a Problem. */
export const readingOrderOf = async (url: string, signal: AbortSignal): Promise<string[]> =>
  (await openPublication(url, signal)).manifest.readingOrder.map(({ href }) => href);
