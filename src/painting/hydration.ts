import type { Hydration } from '../views/HydratedLater.tsx';

/** Follows which parts of a painted screen are still to be hydrated; `whole` resolves as soon as none is. */
export const followHydration = (): Hydration & { whole: () => Promise<void> } => {
  const waiting = new Set<string>();
  let look = (): void => {};
  return {
    expect: (part) => void waiting.add(part),
    arrive(part) {
      waiting.delete(part);
      look();
    },
    whole: () =>
      new Promise((resolve) => {
        look = () => void (waiting.size === 0 && resolve());
        look();
      }),
  };
};
