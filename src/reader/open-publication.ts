import { toProblem } from '../../machines/model/problem.ts';
import { throwProblem } from '../client/wire/problem.ts';
import { isDeniedByStatus } from './fetch-media.ts';
import { fetchPublication, type WebPublication } from './web-publication.ts';

/** Whether an address is that of a file: it has a query, and is not the manifest. */
const isFileAddress = (url: string): boolean => {
  const { pathname, search } = new URL(url, location.href);
  return search !== '' && !pathname.endsWith('/manifest.json');
};

/**
 * Opens a book by the address of its folder, of its manifest or of its own file.
 * @throws Problem
 */
export const openPublication = async (url: string, signal: AbortSignal): Promise<WebPublication> => {
  const openFile = async () => (await import('./epub-archive.ts')).openArchive(url, signal);
  if (isFileAddress(url))
    return (await openFile()) ?? throwProblem({ kind: 'refused', code: 'broken_book', message: 'Not a zip archive.' });
  try {
    return await fetchPublication(url, signal);
  } catch (error) {
    // The address may be that of a file, which has no manifest below it.
    const problem = toProblem(error);
    const mayBeFile = problem.kind === 'http' || problem.kind === 'malformed' || isDeniedByStatus(problem);
    const book = mayBeFile ? await openFile() : null;
    if (book === null) throw error;
    return book;
  }
};

/** The items of a book in reading order, by address; rejects with a Problem. */
export const fetchReadingOrderHrefs = async (url: string, signal: AbortSignal): Promise<string[]> =>
  (await openPublication(url, signal)).manifest.readingOrder.map(({ href }) => href);
