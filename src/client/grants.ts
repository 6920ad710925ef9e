const listeners = new Set<() => void>();

/** Calls the listener when the customer has got another title in this tab. @returns how to unsubscribe */
export const onGranted = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Said by every port that hears that a title has become the customer's. */
export const tellGranted = (): void => {
  for (const listener of listeners) listener();
};
