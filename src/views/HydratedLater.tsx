// Effects, since only React knows what it has hydrated: it is no state of a machine.
// oxlint-disable-next-line no-restricted-imports
import { createContext, Suspense, use, useId, useLayoutEffect, type ReactElement, type ReactNode } from 'react';

/** Is told which parts of a painted screen React has still to hydrate. */
export type Hydration = { expect: (part: string) => void; arrive: (part: string) => void };

const unheard: Hydration = { expect() {}, arrive() {} };

export const HydrationContext = createContext(unheard);

const Expected = ({ part }: { part: string }): null => {
  const { expect, arrive } = use(HydrationContext);
  useLayoutEffect(() => {
    expect(part);
    return () => arrive(part);
  }, [part, expect, arrive]);
  return null;
};

const Arrived = ({ part }: { part: string }): null => {
  const { arrive } = use(HydrationContext);
  useLayoutEffect(() => arrive(part), [part, arrive]);
  return null;
};

/**
 * A part of the screen that may come after the rest: on a painted page React hydrates it then, or at once where somebody presses
 * something. Anywhere else it is drawn with the rest.
 */
export const HydratedLater = ({ children }: { children: ReactNode }): ReactElement => {
  const part = useId();
  return (
    <>
      {/* Effects run in this order, so that what arrives has been expected. */}
      <Expected part={part} />
      <Suspense>
        {children}
        <Arrived part={part} />
      </Suspense>
    </>
  );
};
