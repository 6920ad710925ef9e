/** What the tabs of a browser share under a name: a lock, and a channel on which they say that it has changed. */
export const acrossTabs = (name: string) => {
  /** What is said goes to every listener of the browser, those of this tab among them. */
  const thisTab = crypto.randomUUID();
  let voice: BroadcastChannel | null = null;
  return {
    /** Tabs take turns: none sends what another has sent already. */
    inTurn: <Answer>(run: () => Promise<Answer>): Promise<Answer> =>
      // Pages that came by plain http have no locks.
      'locks' in navigator ? (navigator as Navigator).locks.request(name, run) : run(),
    /** Calls the listener when another tab has changed it, or the network is back. @returns how to unsubscribe */
    onChanged: (listener: () => void): (() => void) => {
      const channel = new BroadcastChannel(name);
      channel.onmessage = ({ data }) => {
        if (data !== thisTab) listener();
      };
      addEventListener('online', listener);
      return () => {
        channel.close();
        removeEventListener('online', listener);
      };
    },
    tellOtherTabs: (): void => {
      voice ??= new BroadcastChannel(name);
      voice.postMessage(thisTab);
    },
  };
};
