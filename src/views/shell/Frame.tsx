import { chakra } from '@chakra-ui/react/styled-system';
import { Trans } from '@lingui/react/macro';
import type { MouseEvent, ReactElement, ReactNode } from 'react';
import type { ChromePart } from '../../../machines/model/route.ts';
import { useApp } from '../app-actor.ts';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';
import { Sidebar } from './Sidebar.tsx';

const none: ChromePart[] = [];

const Skip = chakra('a', {
  base: {
    position: 'absolute',
    top: 2,
    left: 2,
    zIndex: 30,
    px: 4,
    py: 2,
    bg: 'surface',
    color: 'accentInk',
    fontWeight: 600,
    borderRadius: 'md',
    '&:not(:focus)': { transform: 'translateY(-5rem)' },
  },
});

/** By hand, since a new hash would be news of another address. */
const skip = (event: MouseEvent): void => {
  event.preventDefault();
  document.getElementById('main')?.focus();
};

/** What stands around every screen, less the parts that the route hides. */
export const Frame = ({ children }: { children: ReactNode }): ReactElement => {
  const hides = useApp(({ route }) => route?.hides ?? none);
  const isDesktop = useApp(({ layout }) => layout === 'desktop');
  // A screen that hides the top bar fills the window and brings its own landmarks.
  if (hides.includes('topBar')) return <>{children}</>;
  return (
    <chakra.div display="flex" flexDirection="column" minHeight="100dvh">
      <Skip href="#main" onClick={skip}>
        <Trans>Skip to the content</Trans>
      </Skip>
      <Header hides={hides} />
      <chakra.div display="flex" flex="1" width="100%" maxWidth="96rem" mx="auto">
        {isDesktop && !hides.includes('sidebar') ? <Sidebar /> : null}
        <chakra.main id="main" tabIndex={-1} flex="1" minWidth="0" outline="none">
          {children}
        </chakra.main>
      </chakra.div>
      {hides.includes('footer') ? null : <Footer />}
    </chakra.div>
  );
};
