/** A browser or app in which the customer has signed in; `lastSeenAt` is ISO 8601, or empty. */
export type Device = {
  id: string;
  name: string;
  lastSeenAt: string;
  /** The browser that sends the request. */
  isThis: boolean;
  /** The account knows the device, but it has no session. */
  isSignedOut?: true;
};
