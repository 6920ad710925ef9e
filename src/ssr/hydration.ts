import type { Hydration } from '../views/HydratedLater.tsx';

/**
 * Tracks which parts of a server-rendered screen are not hydrated yet; `whenHydrated` resolves once
 * all are.
 */
export const trackHydration = (): Hydration & { whenHydrated: () => Promise<void> } => {
  const waiting = new Set<string>();
  let check = (): void => {};
  return {
    expect: (part) => void waiting.add(part),
    markHydrated(part) {
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
