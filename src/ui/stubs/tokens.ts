/** The scales of a theme: values by name. */
type Scales = Readonly<Record<string, Readonly<Record<string, { value: string }>>>>;

const toVariableName = (prefix: string, scale: string, name: string): string =>
  `--${prefix}-${scale}-${name}`
    .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    .replace(/[^\w-]/g, (character) => `\\${character}`);

const createTokens = ({ tokens, prefix }: { tokens: Scales; prefix: string }) => {
  const variables = new Map<string, string>();
  const references = new Map<string, string>();
  const scales: Record<string, Record<string, string>> = {};
  for (const [scale, values] of Object.entries(tokens)) {
    const scaleVariables: Record<string, string> = {};
    for (const [name, { value }] of Object.entries(values)) {
      const variable = toVariableName(prefix, scale, name);
      variables.set(variable, value);
      scaleVariables[name] = `var(${variable})`;
      references.set(`${scale}.${name}`, scaleVariables[name]);
      if (scale === 'spacing') scaleVariables[`-${name}`] = `calc(${scaleVariables[name]} * -1)`;
    }
    scales[scale] = scaleVariables;
  }
  return {
    cssVarMap: new Map([['base', variables]]),
    getCategoryValues: (scale: string) => scales[scale],
    getVar: (path: string, fallback?: string) => references.get(path) ?? fallback,
    expandReferenceInValue: (value: string) => value,
    // Read by Chakra; the theme has none of these.
    allTokens: [],
    categoryMap: new Map<string, never>(),
    colorPaletteMap: new Map<string, never>(),
    getByName: () => undefined,
  };
};

/**
 * Replaces Chakra's token dictionary, which also resolves nested tokens, tokens inside values
 * (`{colors.ink}`), semantic tokens, palettes and pixels: the theme has only scales of plain
 * values. Saves 3.4 KB on each first visit.
 */
export { createTokens as createTokenDictionary };
