import { Trans } from '@lingui/react/macro';
import { memo, type ReactElement } from 'react';
import type { FramePart } from '../../../machines/flows/flow-definition.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { BarLink } from '../../ui/BarButton.ts';
import { chakra } from '../../ui/chakra.ts';
import { hiddenInPrint } from '../../ui/hidden-in-print.ts';
import { useIsSignedIn } from '../../views/app-actor.ts';
import { AccountLinks } from './AccountLinks.tsx';
import { ExploreLinks } from '../navigation/ExploreLinks.tsx';
import { Logo } from './Logo.tsx';
import { MenuPanel } from '../navigation/MenuPanel.tsx';
import { SearchBox } from './SearchBox.tsx';
import { Strip } from '../navigation/Strip.tsx';
import { SubscribeLink } from './SubscribeLink.tsx';
import { useFrame } from '../frame/use-frame.ts';

const Bar = chakra('header', {
  base: {
    position: 'sticky',
    top: 0,
    zIndex: 5,
    bg: 'topBar',
    color: 'topBarText',
    '& :focus-visible': { outlineColor: 'topBarText' },
    borderTop: '4px solid',
    borderTopColor: 'accent',
    borderBottom: '1px solid',
    borderBottomColor: 'line',
    ...hiddenInPrint,
  },
});

const Row = chakra('div', {
  base: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    columnGap: { base: 1, md: 2, xl: 6 },
    rowGap: 2,
    width: '100%',
    maxWidth: '96rem',
    mx: 'auto',
    // As high as with the search, so that nothing shifts where the search is left out.
    minHeight: { base: '4rem', md: '4.25rem', xl: '4rem' },
    px: { base: 2, md: 4, xl: 8 },
    py: 2,
  },
});

/**
 * The cart, beside the search on narrow windows; its space is reserved until the frame is loaded.
 */
const CartSlot = (): ReactElement => {
  const frame = useFrame();
  return (
    <chakra.span flex="none" order={{ base: 1, md: 0 }} display="flex" alignItems="center" width={12} height={10}>
      {frame ? <frame.CartLink /> : null}
    </chakra.span>
  );
};

/** The customer's credits, beside the cart; their space is reserved until they are known. */
const CreditsSlot = (): ReactElement => {
  const frame = useFrame();
  return (
    <chakra.span
      flex="none"
      order={{ base: 1, md: 0 }}
      display="flex"
      alignItems="center"
      justifyContent="end"
      // As high as the slot of the cart, so that the credits do not make the row higher.
      height={10}
      width={{ base: '3.75rem', md: 'auto' }}
      minWidth={{ md: '6.5rem' }}
    >
      {frame ? <frame.CreditsLink /> : null}
    </chakra.span>
  );
};

/** Last in its row, so that no other link shifts on the landing page, which leaves it out. */
const HomeLink = ({ hides }: { hides: FramePart[] }): ReactElement | null =>
  hides.includes('home') ? null : (
    <BarLink href="/" minHeight={10} ml="auto" mr={-3}>
      <Trans>Home</Trans>
    </BarLink>
  );

/**
 * The top bar with the shop's main links; on narrow windows the search, the cart and the credits
 * are in its second row, the links to lists in a panel.
 */
export const Header = memo(({ hides }: { hides: FramePart[] }): ReactElement => {
  const showsSearch = !hides.includes('search');
  const hasMenu = !(hides.includes('explore') && hides.includes('sidebar'));
  const showsSubscribe = !hides.includes('subscribe');
  const { enableBuyWithCredits } = useBrand().store;
  const hasCredits = useIsSignedIn() && enableBuyWithCredits;
  return (
    <>
      <Bar>
        <Row>
          {hasMenu ? <MenuPanel hides={hides} /> : <chakra.span width={12} display={{ xl: 'none' }} />}
          <Logo />
          {showsSearch ? (
            <chakra.div
              flex={{ base: `1 0 calc(100% - ${hasCredits ? 7.5 : 3.5}rem)`, md: '1' }}
              order={{ base: 1, md: 0 }}
              minWidth="0"
              px={{ base: 2, md: 0 }}
            >
              <SearchBox />
            </chakra.div>
          ) : null}
          <chakra.span flex="1" display={showsSearch ? { md: 'none' } : undefined} />
          {showsSubscribe ? <SubscribeLink display={{ base: 'none', xl: 'inline-flex' }} /> : null}
          {showsSearch && hasCredits ? <CreditsSlot /> : null}
          {showsSearch ? <CartSlot /> : null}
          <AccountLinks hides={hides} />
        </Row>
        <Strip hides={hides} display={{ base: 'none', xl: 'flex' }} end={<HomeLink hides={hides} />}>
          <ExploreLinks hides={hides} />
        </Strip>
      </Bar>
      {/* The bar is sticky; on narrow windows the strip is not, so it is outside of the bar. */}
      <Strip hides={hides} display={{ xl: 'none' }} end={showsSubscribe ? <SubscribeLink ml="auto" /> : null} />
    </>
  );
});
