const loadChunk = () => import('./continue-chunk.ts');

type ContinueChunk = Awaited<ReturnType<typeof loadChunk>>;

// oxlint-disable-next-line pure-machines/state-of-module -- code, the same in every environment
let loadedChunk: ContinueChunk | null = null;

/** Loads the landing page's chunk for signed-in customers. */
export const fetchContinueChunk = async (): Promise<ContinueChunk> => (loadedChunk ??= await loadChunk());

/**
 * The chunk if it is loaded, else null. A loaded chunk is rendered together with the page, without
 * a layout shift.
 */
export const getContinueChunk = (): ContinueChunk | null => loadedChunk;
