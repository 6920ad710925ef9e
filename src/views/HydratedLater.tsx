// Effects, since only React knows which parts are hydrated: that is not a machine's state.
// oxlint-disable-next-line no-restricted-imports
import { createContext, Suspense, use, useId, useLayoutEffect, type ReactElement, type ReactNode } from 'react';

/** Tracks the parts of a server-rendered screen that React has not hydrated yet. */
export type Hydration = { expect: (part: string) => void; markHydrated: (part: string) => void };

const noHydration: Hydration = { expect() {}, markHydrated() {} };

export const HydrationContext = createContext(noHydration);

const ExpectHydration = ({ part }: { part: string }): null => {
  const { expect, markHydrated } = use(HydrationContext);
  useLayoutEffect(() => {
    expect(part);
    return () => markHydrated(part);
  }, [part, expect, markHydrated]);
  return null;
};

const MarkHydrated = ({ part }: { part: string }): null => {
  const { markHydrated } = use(HydrationContext);
  useLayoutEffect(() => markHydrated(part), [part, markHydrated]);
  return null;
};

/**
 * A part of the screen with lower priority: on a server-rendered page, React hydrates it later, or
 * at once when the visitor interacts with it. On other pages, it is rendered together with the
 * screen.
 */
export const HydratedLater = ({ children }: { children: ReactNode }): ReactElement => {
  const part = useId();
  return (
    <>
      {/* Effects run in this order, so that a part is expected before it is marked. */}
      <ExpectHydration part={part} />
      <Suspense>
        {children}
        <MarkHydrated part={part} />
      </Suspense>
    </>
  );
};
