import type { Hydration } from '../views/HydratedLater.tsx';

/** Follows which parts of a painted screen are still to be hydrated; `whole` resolves as soon as none is. */
export const followHydration = (): Hydration & { whole: () => Promise<void> } => {
  const waiting = new Set<string>();
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (): void => {
    if (waiting.size === 0) resolve();
  };
  let isAsked = false;
  return {
    expect: (part) => void waiting.add(part),
    arrive(part) {
      waiting.delete(part);
      if (isAsked) look();
    },
    whole() {
      isAsked = true;
      look();
      return promise;
    },
  };
};
