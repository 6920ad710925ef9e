/** A named lock and change channel that all tabs of a browser share. */
export const createTabChannel = (name: string) => {
  /**
   * Distinguishes this tab's own messages, since the channel also delivers to listeners of the same
   * tab.
   */
  const thisTab = crypto.randomUUID();
  let voice: BroadcastChannel | null = null;
  return {
    /** Runs one tab at a time, so that no tab sends what another has already sent. */
    withLock: <Answer>(run: () => Promise<Answer>): Promise<Answer> =>
      // Pages served over plain http have no locks.
      'locks' in navigator ? (navigator as Navigator).locks.request(name, run) : run(),
    /**
     * Calls the listener when another tab has announced a change, or the network is back.
     * @returns a function that unsubscribes
     */
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
    signalOtherTabs: (): void => {
      voice ??= new BroadcastChannel(name);
      voice.postMessage(thisTab);
    },
  };
};
