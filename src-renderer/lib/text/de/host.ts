import type { Catalogue } from '../index'

export const host: Catalogue['host'] = {
  addTitle: 'Einen Host hinzufügen',
  name: 'Name',
  nameHint: 'Wie Sie ihn im Chat nennen, etwa strong',
  address: 'Adresse',
  addressHint: 'Hostname oder IP-Adresse',
  port: 'Port',
  user: 'Benutzer',
  sudo: 'Befehle mit sudo ausführen',
  identity: 'Schlüssel',
  identities: { keyFile: 'Datei', paste: 'Einfügen', generate: 'Erzeugen', agent: 'SSH-Agent' },
  keyFile: 'Pfad des privaten Schlüssels',
  keyFileHint: 'Etwa ~/.ssh/id_ed25519',
  privateKey: 'Privater Schlüssel',
  privateKeyHint: 'Beginnt mit -----BEGIN OPENSSH PRIVATE KEY-----',
  passphrase: 'Passphrase, wenn er eine hat',
  generateBody: 'Ein neuer Ed25519-Schlüssel entsteht und bleibt im Schlüsselbund.',
  generateDo: 'Erzeugen',
  publicKey: 'Fügen Sie diese Zeile in authorized_keys des Benutzers auf dem Host ein:',
  importDo: 'Schlüssel behalten',
  keyKept: (name) => `Behalten als ${name}.`,
  agentBody: 'Schlüssel, die Ihr SSH-Agent anbietet, werden versucht.',
  test: 'Verbindung prüfen',
  testing: 'Prüft',
  add: 'Host hinzufügen',
  steps: {
    key: 'Schlüssel',
    connect: 'Verbinden',
    host_key: 'Host-Schlüssel',
    login: 'Anmelden',
    proxmox: 'Proxmox VE'
  },
  judge: 'Noch nicht vertraut: unten vergleichen. Gesendet wurde nichts.',
  trustTitle: (host) => `Ist das der Schlüssel von ${host}?`,
  trustBody: 'Vergleichen Sie ihn mit dem, was dies auf der Konsole des Hosts ausgibt:',
  trustCommand: 'ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub',
  trust: 'Diesem Schlüssel vertrauen',
  changedTitle: (host) => `Der Schlüssel von ${host} hat sich geändert`,
  changedBody:
    'Es wurde nichts gesendet. Entweder wurde der Host neu aufgesetzt, oder jemand steht zwischen Ihnen und ihm.',
  was: 'Bisher vertraut',
  is: 'Jetzt angeboten',
  replace: 'Den vertrauten Schlüssel ersetzen',
  fixFirst: 'Name, Adresse und ein Schlüssel werden gebraucht.',
  keyFirst: 'Erst den Schlüssel behalten, dann prüfen.',
  forget: 'Schlüssel vergessen',
  forgetTitle: (host) => `Den Schlüssel von ${host} vergessen?`,
  forgetBody:
    'Die nächste Verbindung zeigt Ihnen seinen Schlüssel zur Prüfung. Vorher wird nichts gesendet, und was dort auf Genehmigung wartet, verfällt.'
}

export const knownHosts: Catalogue['knownHosts'] = {
  open: 'known_hosts übernehmen',
  body: 'Hosts, deren Schlüssel Ihr ssh schon anerkennt, brauchen keine Karte. Auch Dateien mit Prüfsummen statt Namen werden gelesen.',
  own: '~/.ssh/known_hosts lesen',
  paste: 'Oder ihre Zeilen einfügen',
  take: 'Diese Zeilen übernehmen',
  unreadable: (lines) => `Nicht lesbar: Zeile ${lines}`,
  outcomes: {
    imported: 'jetzt anerkannt',
    same: 'war schon anerkannt',
    other_key: 'ein anderer Schlüssel ist anerkannt und bleibt',
    pinned: 'sein Schlüssel steht in der Konfiguration',
    revoked: 'nicht übernommen: die Datei widerruft einen Schlüssel',
    authority: 'nicht übernommen: nur eine Zertifizierungsstelle bürgt für ihn',
    unsupported: 'nicht übernommen: kein Schlüssel einer unterstützten Art',
    absent: 'steht nicht in der Datei'
  }
}
