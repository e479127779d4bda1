/** What the keychain module is built from, Electron is linked with, and the tests need around them. */
export const debianPackages = {
  'building native modules': ['python3', 'make', 'g++', 'pkg-config', 'libsecret-1-dev'],
  Electron: [
    'libnss3',
    'libatk1.0-0',
    'libatk-bridge2.0-0',
    'libcups2',
    'libgtk-3-0',
    'libgbm1',
    'libasound2',
    'libxss1',
    'libxtst6',
    'libnotify4',
    'libsecret-1-0'
  ],
  'a desktop without a screen, for tests': ['xvfb', 'xauth', 'dbus', 'dbus-x11', 'gnome-keyring'],
  'a real server, for tests': ['openssh-server']
}

/** The same needs as programs, for systems whose packages have other names. */
export const neededCommands = [
  'python3',
  'make',
  'g++',
  'pkg-config',
  'dbus-run-session',
  'xvfb-run',
  'xauth',
  'gnome-keyring-daemon',
  'sshd'
]
