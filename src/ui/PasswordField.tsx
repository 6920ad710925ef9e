import { useLingui } from '@lingui/react/macro';
import { useState, type ComponentProps, type ReactElement } from 'react';
import { chakra } from './chakra.ts';
import { TextField } from './TextField.tsx';

const Toggle = chakra('button', {
  base: {
    position: 'absolute',
    top: '1.5625rem',
    right: '0',
    minWidth: '4rem',
    minHeight: 12,
    px: 3,
    color: 'accentInk',
    fontSize: 'sm',
    fontWeight: 600,
    cursor: 'pointer',
    borderRadius: 'md',
  },
});

/** A field for a secret, which can be shown while it is typed. */
export const PasswordField = (props: ComponentProps<typeof TextField>): ReactElement => {
  const { t } = useLingui();
  const [shown, setShown] = useState(false);
  return (
    <chakra.div position="relative">
      <TextField {...props} type={shown ? 'text' : 'password'} autoCapitalize="none" spellCheck={false} paddingRight="4.5rem" />
      <Toggle type="button" aria-pressed={shown} aria-label={t`Show password`} onClick={() => setShown(!shown)}>
        {shown ? t`Hide` : t`Show`}
      </Toggle>
    </chakra.div>
  );
};
