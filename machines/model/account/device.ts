/** A browser or app in which the customer has signed in; `lastSeenAt` is ISO 8601, or empty. */
export type Device = {
  id: string;
  name: string;
  lastSeenAt: string;
  /** The browser that sends the request. */
  isThis: boolean;
  /** The device is known to the account, but has no session. */
  isSignedOut?: true;
};
