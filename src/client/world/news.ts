/** Something that ports of one world tell each other. */
export type News = {
  tell: () => void;
  /** Calls the listener each time it is told. @returns how to unsubscribe */
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
