/** A browser or app in which the customer has signed in; `lastSeenAt` is ISO 8601, or empty. */
export type Device = {
  id: string;
  name: string;
  lastSeenAt: string;
  /** The browser that asks. */
  isThis: boolean;
  /** The account knows the device, without a session there. */
  isSignedOut?: true;
};
