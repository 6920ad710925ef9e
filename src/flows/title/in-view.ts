import type { EventObject } from 'xstate';
import { channelPort } from '../../../machines/ports.ts';
import { findElement } from '../../history/find-element.ts';

/** Tells once when half of the element `[data-in-view="{name}"]` is in the window. */
export const inViewPort = <Fact extends EventObject>(name: string, fact: Fact) =>
  channelPort<EventObject, Fact>(({ sendBack }) => {
    const stopped = new AbortController();
    const watch = async () => {
      const element = await findElement('data-in-view', name, stopped.signal);
      const half = (entries: IntersectionObserverEntry[]) => {
        if (!entries.some(({ intersectionRatio }) => intersectionRatio >= 0.5)) return;
        observer.disconnect();
        sendBack(fact);
      };
      const observer = new IntersectionObserver(half, { threshold: 0.5 });
      stopped.signal.addEventListener('abort', () => observer.disconnect());
      observer.observe(element);
    };
    // It only ends early when the machine has stopped listening.
    watch().catch(() => undefined);
    return () => stopped.abort();
  });
