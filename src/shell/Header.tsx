import { memo, type ReactElement } from 'react';
import type { ChromePart } from '../../machines/model/flow-definition.ts';
import { chakra } from '../ui/chakra.ts';
import { AccountLinks } from './AccountLinks.tsx';
import { useApp } from '../views/app-actor.ts';
import { Logo } from './Logo.tsx';
import { MenuPanel } from './MenuPanel.tsx';
import { SearchBox } from './SearchBox.tsx';
import { Strip } from './Strip.tsx';
import { SubscribeLink } from './SubscribeLink.tsx';

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
  },
});

const Row = chakra('div', {
  base: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    columnGap: { base: 1, md: 4, xl: 6 },
    rowGap: 2,
    width: '100%',
    maxWidth: '96rem',
    mx: 'auto',
    minHeight: { base: '4.25rem', xl: '4rem' },
    px: { base: 2, md: 6, xl: 8 },
    py: 2,
  },
});

/** The top bar with the ways into the shop; on narrow windows the search and these go under it, the rest into a panel. */
export const Header = memo(({ hides }: { hides: ChromePart[] }): ReactElement => {
  const layout = useApp((context) => context.layout);
  const isDesktop = layout === 'desktop';
  const hasMenu = !isDesktop && !(hides.includes('explore') && hides.includes('sidebar'));
  return (
    <>
      <Bar>
        <Row>
          {hasMenu ? <MenuPanel hides={hides} /> : null}
          <Logo />
          {hides.includes('search') ? (
            <chakra.span flex="1" />
          ) : (
            <chakra.div flex={layout === 'mobile' ? '1 0 100%' : '1'} order={layout === 'mobile' ? 1 : undefined} minWidth="0">
              <SearchBox />
            </chakra.div>
          )}
          {layout === 'mobile' ? <chakra.span flex="1" /> : null}
          {isDesktop && !hides.includes('subscribe') ? <SubscribeLink /> : null}
          <AccountLinks hides={hides} />
        </Row>
        {isDesktop ? <Strip hides={hides} /> : null}
      </Bar>
      {isDesktop ? null : <Strip hides={hides} />}
    </>
  );
});
