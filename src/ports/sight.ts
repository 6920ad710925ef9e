import type { EventObject } from 'xstate';
import { channelPort } from '../../machines/ports.ts';
import { findElement } from './find-element.ts';

/** Tells once when the element `[data-sight="{name}"]` comes into the window, or close below it. */
export const sightPort = <Fact extends EventObject>(name: string, fact: Fact) =>
  channelPort<EventObject, Fact>(({ sendBack }) => {
    const stopped = new AbortController();
    const watch = async () => {
      const element = await findElement('data-sight', name, stopped.signal);
      const observer = new IntersectionObserver(([entry]) => {
        if (!entry?.isIntersecting) return;
        observer.disconnect();
        sendBack(fact);
      });
      stopped.signal.addEventListener('abort', () => observer.disconnect());
      observer.observe(element);
    };
    // It only ends early when the machine has stopped listening.
    watch().catch(() => undefined);
    return () => stopped.abort();
  });
