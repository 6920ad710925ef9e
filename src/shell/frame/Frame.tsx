import { Trans } from '@lingui/react/macro';
import type { MouseEvent, ReactElement, ReactNode } from 'react';
import type { FramePart } from '../../../machines/flows/flow-definition.ts';
import { chakra } from '../../ui/chakra.ts';
import { hiddenInPrint } from '../../ui/hidden-in-print.ts';
import { useApp } from '../../views/app-actor.ts';
import { HydratedLater } from '../../views/HydratedLater.tsx';
import { useFrame } from './use-frame.ts';
import { Footer } from './Footer.tsx';
import { Header } from '../header/Header.tsx';
import { Sidebar } from '../navigation/Sidebar.tsx';

const noParts: FramePart[] = [];

const SkipLink = chakra('a', {
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

/** The footer, by default 30% darker than the store's colour. */
const FooterArea = chakra('footer', {
  base: {
    display: 'grid',
    gap: 6,
    py: 10,
    bg: 'footer',
    color: 'footerText',
    '& :focus-visible': { outlineColor: 'footerText' },
    ...hiddenInPrint,
  },
});

/** Moves the focus without the hash, whose change would count as a new address. */
const skipToMain = (event: MouseEvent): void => {
  event.preventDefault();
  document.getElementById('main')?.focus();
};

/** The header, sidebar and footer around every screen, without the parts that the route hides. */
export const Frame = ({ children }: { children: ReactNode }): ReactElement => {
  const hiddenParts = useApp(({ route }) => route?.hides ?? noParts);
  const frame = useFrame();
  const fillsWindow = useApp(({ route }) => route?.fills === true);
  // A full-window screen has its own bar and landmarks.
  if (fillsWindow) return <>{children}</>;
  return (
    <chakra.div display="flex" flexDirection="column" minHeight="100dvh">
      <SkipLink href="#main" onClick={skipToMain}>
        <Trans>Skip to content</Trans>
      </SkipLink>
      <HydratedLater>
        <Header hides={hiddenParts} />
      </HydratedLater>
      <chakra.div display="flex" flex="1" width="100%" maxWidth="96rem" mx="auto">
        {hiddenParts.includes('sidebar') ? null : (
          <HydratedLater>
            <Sidebar />
          </HydratedLater>
        )}
        <chakra.main
          id="main"
          tabIndex={-1}
          flex="1"
          minWidth="0"
          // Reaches the window's lower edge, so that a growing screen shifts no visible footer.
          minHeight="calc(100dvh - 4.25rem)"
          outline="none"
        >
          {children}
        </chakra.main>
      </chakra.div>
      {hiddenParts.includes('footer') ? null : (
        <FooterArea>
          <HydratedLater>
            <Footer />
          </HydratedLater>
        </FooterArea>
      )}
      {frame ? <frame.Notices frame={frame.actor} /> : null}
    </chakra.div>
  );
};
