/** A named lock and change channel that all tabs of a browser share. */
export const createTabChannel = (name: string) => {
  /**
   * The sender's id in messages: the channel also delivers them to listeners of the same tab, which
   * ignore them.
   */
  const tabId = crypto.randomUUID();
  let sender: BroadcastChannel | null = null;
  return {
    /** Runs `run` in one tab at a time, so that no tab repeats a change that another has sent. */
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
        if (data !== tabId) listener();
      };
      addEventListener('online', listener);
      return () => {
        channel.close();
        removeEventListener('online', listener);
      };
    },
    signalOtherTabs: (): void => {
      sender ??= new BroadcastChannel(name);
      sender.postMessage(tabId);
    },
  };
};
