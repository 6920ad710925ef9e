import type { Hydration } from '../views/HydratedLater.tsx';

/**
 * Tracks which parts of a server-rendered screen are not hydrated yet; `whenHydrated` resolves when
 * all parts are hydrated.
 */
export const trackHydration = (): Hydration & { whenHydrated: () => Promise<void> } => {
  const pendingParts = new Set<string>();
  let resolveIfHydrated = (): void => {};
  return {
    expect: (part) => void pendingParts.add(part),
    markHydrated(part) {
      pendingParts.delete(part);
      resolveIfHydrated();
    },
    whenHydrated: () =>
      new Promise((resolve) => {
        resolveIfHydrated = () => void (pendingParts.size === 0 && resolve());
        resolveIfHydrated();
      }),
  };
};
