/** A signal between ports of one app environment. */
export type Signal = {
  emit: () => void;
  /**
   * Calls the listener each time the signal is emitted.
   * @returns a function that unsubscribes
   */
  subscribe: (listener: () => void) => () => void;
};

export const createSignal = (): Signal => {
  const listeners = new Set<() => void>();
  return {
    emit: () => {
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};
