import type { Hydration } from '../views/HydratedLater.tsx';

/** Follows which parts of a painted screen are still to be hydrated; `whenHydrated` resolves as soon as none is. */
export const followHydration = (): Hydration & { whenHydrated: () => Promise<void> } => {
  const waiting = new Set<string>();
  let check = (): void => {};
  return {
    expect: (part) => void waiting.add(part),
    arrive(part) {
      waiting.delete(part);
      check();
    },
    whenHydrated: () =>
      new Promise((resolve) => {
        check = () => void (waiting.size === 0 && resolve());
        check();
      }),
  };
};
