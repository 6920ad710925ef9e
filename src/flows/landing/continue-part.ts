const load = () => import('./continue-chunk.ts');

type Part = Awaited<ReturnType<typeof load>>;

// oxlint-disable-next-line pure-machines/state-of-module -- a part of the program, the same in every world
let part: Part | null = null;

/** Fetches what only customers need of the landing page. */
export const fetchContinue = async (): Promise<Part> => (part ??= await load());

/** That part once it is there: it is drawn with the rest, so that nothing moves. */
export const continuePart = (): Part | null => part;
