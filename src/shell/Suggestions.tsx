import { useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { searchBoxMachine, Suggestion } from '../../machines/app/search-box.ts';
import { chakra } from '../ui/chakra.ts';

const List = chakra('ul', {
  base: {
    position: 'absolute',
    zIndex: 6,
    top: 'calc(100% + 4px)',
    left: 0,
    right: 0,
    py: 2,
    bg: 'surface',
    color: 'ink',
    border: '1px solid',
    borderColor: 'line',
    borderRadius: 'md',
    boxShadow: 'coverRaised',
    maxHeight: '60dvh',
    overflowY: 'auto',
    listStyleType: 'none',
  },
});

const Option = chakra('li', {
  base: {
    display: 'flex',
    justifyContent: 'space-between',
    gap: 4,
    px: 4,
    py: 2,
    cursor: 'pointer',
    _hover: { bg: 'accentSoft' },
    '&[aria-selected=true]': { bg: 'accentSoft', color: 'accentInk', boxShadow: 'inset 3px 0' },
  },
});

/** What may be meant by what is being typed; the field above says which of them the arrow keys have reached. */
export const Suggestions = ({
  searchBox,
  id,
}: {
  searchBox: ActorRefFrom<typeof searchBoxMachine>;
  id: string;
}): ReactElement | null => {
  const { t } = useLingui();
  const { suggestions, active } = useSelector(searchBox, ({ context }) => context);
  const isOffering = useSelector(searchBox, (snapshot) => snapshot.matches('offering'));
  if (!isOffering) return null;
  const kinds: Record<Suggestion['kind'], string> = { category: t`Category`, author: t`Author`, title: '' };
  return (
    <List role="listbox" id={id} aria-label={t`Suggestions`}>
      {suggestions.map(({ kind, text, path }, place) => (
        <Option
          key={path}
          role="option"
          id={`${id}-${place}`}
          aria-selected={place === active}
          data-event="suggestion.chosen"
          // The field keeps the focus, so that it is not left before the press has been heard.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => searchBox.send({ type: 'suggestion.chosen', path })}
        >
          <span>{text}</span>
          {kinds[kind] === '' ? null : (
            <chakra.span color="inkMuted" fontSize="sm">
              {kinds[kind]}
            </chakra.span>
          )}
        </Option>
      ))}
    </List>
  );
};
