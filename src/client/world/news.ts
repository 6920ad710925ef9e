/** A signal between ports of one app environment. */
export type News = {
  tell: () => void;
  /**
   * Calls the listener each time the signal is emitted.
   * @returns a function that unsubscribes
   */
  on: (listener: () => void) => () => void;
};

export const createNews = (): News => {
  const listeners = new Set<() => void>();
  return {
    tell: () => {
      for (const listener of listeners) listener();
    },
    on: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};
