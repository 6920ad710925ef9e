import { cruise, type ICruiseResult, type IForbiddenRuleType, type IModule } from 'dependency-cruiser';
import { forbiddenImports, layers, serverLayers, toolLayers, type Layer } from './layers.ts';
import { passUnlessComplaints, type Outcome } from './step.ts';

const CLIENT_PATHS = '^(machines|src)/';
/**
 * Files of the model that page and server share, for example paths of the shop, e-mail addresses,
 * currencies by country, how a browser remembers choices.
 */
const plainModelFiles =
  '^machines/model/(store/(appearance|articles|choice-cookie|countries|country-list|currency|dates|language-names|links|page-name-context|ordinals|page-template|paid-in|server-rendering)|catalogue/(campaign-rewards|list-form)|account/(custom-field|email)|buying/order-number|purchase-paths|paths)\\.ts$';
const graphPattern = /^(machines|src|server|tools|tests)\//;

function canImport(from: Layer, to: Layer): boolean {
  if (from === to) return true;
  if (forbiddenImports[from.name]?.includes(to.name)) return false;
  return to.level < from.level;
}

function createLayerRule(layer: Layer): IForbiddenRuleType {
  const allowed = layers.filter((other) => canImport(layer, other)).map((other) => other.path);
  return {
    name: `${layer.name} imports only lower layers`,
    severity: 'error',
    from: { path: layer.path },
    to: { path: CLIENT_PATHS, pathNot: allowed },
  };
}

/** Layers by folder: each subfolder imports only its own files and those of lower layers. */
const layersByFolder = { server: serverLayers, tools: toolLayers };

const toPathPattern = (folder: string, name: string): string =>
  `^${folder}/${name.replace('.', '\\.')}${name.includes('.') ? '$' : '/'}`;

const createFolderRules = (): IForbiddenRuleType[] =>
  Object.entries(layersByFolder).flatMap(([folder, layers]) =>
    layers.flatMap((names, index) =>
      names.map((name) => {
        const lowerNames = [name, ...layers.slice(0, index).flat()];
        return createForbidRule(
          `${folder}/${name} imports only lower layers`,
          { path: toPathPattern(folder, name) },
          { path: `^${folder}/`, pathNot: lowerNames.map((each) => toPathPattern(folder, each)) },
        );
      }),
    ),
  );

type From = NonNullable<IForbiddenRuleType['from']>;
type To = Exclude<IForbiddenRuleType, { module: unknown }>['to'];

function createForbidRule(name: string, from: From, to: To): IForbiddenRuleType {
  return { name, severity: 'error', from, to };
}

const rules: IForbiddenRuleType[] = [
  ...layers.map(createLayerRule),
  ...createFolderRules(),
  createForbidRule('no cycles', {}, { circular: true }),
  createForbidRule(
    'a flow does not import files of another flow',
    { path: '^src/flows/([^/]+)/' },
    { path: '^src/flows/[^/]+/', pathNot: '^src/flows/$1/' },
  ),
  createForbidRule(
    'a view does not import the client or a port',
    { path: '^src/(flows|shell)/.*\\.tsx$' },
    { path: '^src/(client|storage|history|trace|reader)/|^src/(flows|shell)/.*\\b(ports?|calls?)\\.ts$' },
  ),
  // The translations of `lazy` are not loaded yet when the landing page is.
  createForbidRule(
    'the landing page and the frame do not import lazy views',
    { path: '^src/(main\\.tsx$|shell/|flows/landing/)' },
    { path: '^src/views/lazy/', reachable: true },
  ),
  // Exceptions: the development start runs a server beside its page; benches of large catalogues
  // and the operator's command write to its database; tables in docs are generated from its tables.
  createForbidRule(
    'nothing imports the server',
    {
      pathNot:
        '^(server|tests|tools/tours)/|^tools/(check/tables/[\\w-]+|start/dev(-pages)?|store/(import/)?[\\w-]+|bench/(catalogue(-titles)?|big-store))\\.ts$',
    },
    { path: '^server/' },
  ),
  createForbidRule('nothing imports the tests', { pathNot: '^tests/' }, { path: '^tests/' }),
  createForbidRule(
    'the server imports only generated types, the registry and shared rules',
    { path: '^server/' },
    {
      path: '^(machines|src|tools|tests)/',
      pathNot: `^src/client/wire/schema\\.gen\\.ts$|^machines/flows/(registry|routes)\\.ts$|${plainModelFiles}`,
    },
  ),
  createForbidRule('a shared rule imports only shared rules', { path: plainModelFiles }, { path: '.', pathNot: plainModelFiles }),
  createForbidRule('browser code does not import Node modules', { path: CLIENT_PATHS }, { dependencyTypes: ['core'] }),
  createForbidRule('every import resolves', {}, { couldNotResolve: true, pathNot: '^virtual:|\\?(?:url|worker|raw)' }),
];

function findPackageComplaints(module: IModule, layer: Layer): string[] {
  const { packages } = layer;
  if (packages === undefined) return [];
  return module.dependencies
    .filter((dependency) => !/^[./]/.test(dependency.module) && !packages.includes(dependency.module))
    .map((dependency) => `${layer.name} may not use ${dependency.module}: ${module.source}`);
}

const layerPatterns = Object.entries(layersByFolder).flatMap(([folder, layers]) =>
  layers.flat().map((name) => new RegExp(toPathPattern(folder, name))),
);

function findLayerComplaints(module: IModule): string[] {
  const [folder = ''] = module.source.split('/');
  if (folder in layersByFolder)
    return layerPatterns.some((pattern) => pattern.test(module.source)) ? [] : [`is in no layer of ${folder}: ${module.source}`];
  const matchingLayers = layers.filter((layer) => new RegExp(layer.path).test(module.source));
  if (matchingLayers.length === 1 && matchingLayers[0] !== undefined) return findPackageComplaints(module, matchingLayers[0]);
  return [`${matchingLayers.length === 0 ? 'is in no layer' : 'is in two layers'}: ${module.source}`];
}

function isGraph(output: ICruiseResult | string): output is ICruiseResult {
  return typeof output !== 'string';
}

/** Reports imports of the tree under the working folder `root` that violate the layers. */
export async function checkLayers(root: string, folders = ['machines', 'src', 'server', 'tools', 'tests']): Promise<Outcome> {
  const { output } = await cruise(
    folders,
    {
      baseDir: root,
      ruleSet: { forbidden: rules },
      validate: true,
      // Type-only imports count: a view that uses the API's types depends on the API.
      tsPreCompilationDeps: true,
      doNotFollow: { path: 'node_modules' },
      exclude: { path: '^dist/|^server/demo/media/' },
    },
    {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.d.ts'],
      conditionNames: ['import', 'types', 'node'],
      exportsFields: ['exports'],
    },
  );
  if (!isGraph(output)) throw new Error(`dependency-cruiser returned a text, expected a graph: ${output}`);
  const violations = output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
  const projectModules = output.modules.filter((module) => graphPattern.test(module.source));
  const files = projectModules.filter(
    ({ source }) => (new RegExp(CLIENT_PATHS).test(source) || source.startsWith('server/')) && !source.endsWith('.d.ts'),
  );
  return passUnlessComplaints(
    [...violations, ...files.flatMap(findLayerComplaints)],
    `${projectModules.length} files respect their layers`,
  );
}
