const load = () => import('./continue-chunk.ts');

type Part = Awaited<ReturnType<typeof load>>;

// oxlint-disable-next-line pure-machines/state-of-module -- code, the same in every environment
let part: Part | null = null;

/** Loads the landing page's chunk for signed-in customers. */
export const fetchContinue = async (): Promise<Part> => (part ??= await load());

/** That chunk once it is loaded: it is rendered with the rest, without a layout shift. */
export const continuePart = (): Part | null => part;
